/**
 * Publishing with nothing of ours: reads the body, runs a bare saxes pass over it, makes it durable in one write, answers.
 *
 *   ingest.ts http|express  lmdb DIRECTORY | redis URL
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import express from "express";
import { Redis } from "ioredis";
import { open } from "lmdb";
import { answer } from "../harness/child.ts";
import { portOf, readBody } from "./http-server.ts";
import { barePass } from "./saxes-pass.ts";

const [framework, engine, place = ""] = process.argv.slice(2);

function durableWrite(): (body: Buffer) => Promise<unknown> {
  if (engine === "redis") {
    const redis = new Redis(place);
    return (body) => redis.xadd("log", "*", "payload", body);
  }
  // As the hub opens its store: a write is answered when it is on disk.
  const log = open({ path: place, encoding: "binary", keyEncoding: "uint32", overlappingSync: false });
  let sequence = 0;
  return (body) => log.put((sequence += 1), body);
}

const write = durableWrite();

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  barePass(body.toString("utf8"));
  await write(body);
  response.writeHead(202).end();
}

function withExpress(): RequestListener {
  const app = express();
  app.use(express.raw({ type: "application/xml", limit: "5mb" }));
  app.post("/", async (request, response) => {
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body)) throw new Error("no body");
    barePass(body.toString("utf8"));
    await write(body);
    response.status(202).end();
  });
  // oxlint-disable-next-line typescript/no-misused-promises, typescript/strict-void-return -- express awaits it
  return app;
}

const server = createServer(
  framework === "express" ? withExpress() : (request, response) => void take(request, response),
);
server.listen(0, "127.0.0.1");
await once(server, "listening");
answer({ port: () => portOf(server) });
