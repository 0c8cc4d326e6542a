import { z } from "zod";
import type { Endpoint } from "./schemas/endpoint.ts";

type Json = Readonly<Record<string, unknown>>;

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A JSON Schema as OpenAPI 3.1 takes it within a document, where the dialect is told once. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function propertiesOf(schema: z.ZodType): {
  names: readonly string[];
  of: (name: string) => Json;
  required: readonly string[];
} {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  const of = (name: string): Json => {
    const found = properties[name];
    return typeof found === "object" ? { ...found } : {};
  };
  return { names: Object.keys(properties), of, required };
}

function parametersOf({ params, query }: Endpoint): Json[] {
  return (
    [
      ["path", params],
      ["query", query],
    ] as const
  ).flatMap(([place, schema]) => {
    const { names, of, required } = propertiesOf(schema);
    return names.map((name) => {
      const { description, ...rest } = of(name);
      return {
        name,
        in: place,
        required: required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    });
  });
}

const problem = {
  type: "object",
  description: "problem details (RFC 9457)",
  properties: {
    status: { type: "integer" },
    title: { type: "string" },
    detail: { type: "string", description: "what is wrong, and what to do" },
  },
  required: ["status", "title", "detail"],
};

const problemAnswer = (description: string): Json => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

const reference = (name: string): Json => ({ schema: { $ref: `#/components/schemas/${capitalised(name)}` } });
const takesBody = ({ body }: Endpoint): boolean => propertiesOf(body).names.length > 0;

function operationOf(endpoint: Endpoint): Json {
  const { name, summary, path } = endpoint;
  const parameters = parametersOf(endpoint);
  const body = propertiesOf(endpoint.body);
  return {
    operationId: name,
    summary,
    ...(path === "/openapi.json" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(takesBody(endpoint)
      ? {
          requestBody: {
            required: body.required.length > 0,
            content: { "application/json": reference(`${name}Request`) },
          },
        }
      : {}),
    responses: {
      200: { description: "Done", content: { "application/json": reference(`${name}Answer`) } },
      default: problemAnswer("Refused, or failed"),
    },
  };
}

/** The operators' API as an OpenAPI 3.1 document, made of what checks the requests. `url` is that of the API. */
export function openApiDocument(endpoints: readonly Endpoint[], url: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas: Record<string, Json> = { Problem: problem };
  for (const endpoint of endpoints) {
    const { name, path, method, body, answer } = endpoint;
    paths[path] = { ...paths[path], [method]: operationOf(endpoint) };
    if (takesBody(endpoint)) schemas[capitalised(`${name}Request`)] = schemaOf(body, "input");
    schemas[capitalised(`${name}Answer`)] = schemaOf(answer, "output");
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "resourcesync-hub: the operators' API",
      version: "1",
      description: "Every request carries the admin token of the hub: Authorization: Bearer TOKEN.",
    },
    servers: [{ url }],
    security: [{ admin: [] }],
    paths,
    components: { securitySchemes: { admin: { type: "http", scheme: "bearer" } }, schemas },
  };
}
