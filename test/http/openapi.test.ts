import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { contradictions } from "../support/json-schema.ts";
import { operate } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";

const reference = z.strictObject({ $ref: z.string() });
const content = z.strictObject({ "application/json": z.strictObject({ schema: reference }) });
const operation = z.strictObject({
  operationId: z.string(),
  summary: z.string().min(10),
  security: z.array(z.object({})).optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(["path", "query"]),
        required: z.boolean(),
        description: z.string().optional(),
        schema: z.looseObject({}),
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.strictObject({
    200: z.strictObject({ description: z.string(), content }),
    default: z.strictObject({
      description: z.string(),
      content: z.strictObject({ "application/problem+json": z.strictObject({ schema: reference }) }),
    }),
  }),
});
const method = z.enum(["get", "post", "patch", "delete"]);

/** The structure of OpenAPI 3.1, as far as the hub's document uses it. */
const openApi = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.url() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(z.string().startsWith("/"), z.partialRecord(method, operation)),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      admin: z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer") }),
    }),
    schemas: z.record(z.string().regex(/^\w+$/), z.looseObject({})),
  }),
});

let hub: TestHub;
let document: z.output<typeof openApi>;
beforeAll(async () => {
  hub = await startTestHub();
  document = openApi.parse(await (await operate(hub, "/openapi.json", { token: "" })).json());
});
afterAll(async () => hub[Symbol.asyncDispose]());

const schemaNamed = (pointer: string): unknown =>
  document.components.schemas[pointer.replace("#/components/schemas/", "")];

test("the description is OpenAPI 3.1: every reference leads somewhere, every name is there once", () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = ""]) => to);
  expect(references.length).toBeGreaterThan(10);
  for (const to of references) expect([to, schemaNamed(to)]).toEqual([to, expect.any(Object)]);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(text).not.toContain("$schema");
  for (const [path, item] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters = [] } of Object.values(item)) {
      const described = parameters.filter((each) => each.in === "path").map(({ name }) => name);
      expect([path, described]).toEqual([path, inPath]);
    }
  }
});

test("whatever is described is there, and what is not described is not", async () => {
  for (const [path, item] of Object.entries(document.paths)) {
    const target = path.replaceAll(/\{\w+\}/g, "a".repeat(22));
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const described = Object.keys(item).includes(method.toLowerCase());
      const { status } = await operate(hub, target, {
        method,
        body: method === "GET" ? undefined : { x: 1 },
      });
      expect([method, path, status !== 405]).toEqual([method, path, described]);
    }
  }
  expect(document.paths["/openapi.json"]?.get?.security).toEqual([]);
});

test("what is answered without anything to find is as described", async () => {
  const plain = Object.entries(document.paths).filter(([path]) => !path.includes("{"));
  let compared = 0;
  for (const [path, { get }] of plain) {
    if (get === undefined) continue;
    const answer: unknown = await (await operate(hub, path)).json();
    const { schema } = get.responses[200].content["application/json"];
    expect([path, contradictions(answer, schema, schemaNamed)]).toEqual([path, []]);
    compared += 1;
  }
  expect(compared).toBeGreaterThanOrEqual(5);
});
