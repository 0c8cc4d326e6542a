import express from "express";
import { expect, test } from "vitest";
import { hubSigned, startReceiver } from "./receiver-server.ts";

const body = '{"changed": "https://maps.example.org/maps/1"}';
const json = { "Content-Type": "application/json" };

test("in Express, before express.json(), deliveries come as bytes, and other routes get their JSON", async () => {
  await using callback = await startReceiver({
    secret: "s3cret",
    express: (app, handle) => {
      app.use(handle);
      app.use(express.json());
      app.post("/orders", (request, response) => void response.json({ got: request.body as unknown }));
    },
  });
  expect((await callback.deliver(body, { ...json, ...hubSigned(body, "s3cret") })).status).toBe(200);
  expect(callback.received[0]?.payload.toString()).toBe(body);
  const order = await callback.deliver(body, json, `${callback.origin}/orders`);
  expect(await order.json()).toEqual({ got: JSON.parse(body) as unknown });
});

test("mounted below a path, it verifies intent there and leaves the rest to Express", async () => {
  await using callback = await startReceiver({
    express: (app, handle) => {
      app.use("/callbacks", handle);
      app.use((_request, response) => void response.status(418).end());
    },
  });
  expect(await (await callback.verify({})).text()).toBe("abc-123_");
  expect((await callback.verify({}, `${callback.origin}/callbacks/unknown`)).status).toBe(418);
});

test("behind express.json(), a delivery that was parsed fails with what to do about it, so that it comes again", async () => {
  await using callback = await startReceiver({
    secret: "s3cret",
    express: (app, handle) => app.use(express.json()).use(handle),
  });
  const response = await callback.deliver(body, { ...json, ...hubSigned(body, "s3cret") });
  expect(response.status).toBe(500);
  expect(await response.text()).toMatch(/read before .* Mount the receiver before express\.json\(\)/);
  expect(callback.errors).toMatchObject([{ name: "RawBodyGone", mayRetry: false }]);
  expect(callback.received).toEqual([]);
});

test("behind express.json(), what it passes over is taken all the same", async () => {
  await using callback = await startReceiver({
    secret: "s3cret",
    express: (app, handle) => app.use(express.json()).use(handle),
  });
  expect((await callback.deliver("<a/>", hubSigned("<a/>", "s3cret"))).status).toBe(200);
});

test("behind a parser that keeps the bytes, as rawBody or as body, signatures are checked over them", async () => {
  const keep = (request: object, _response: object, bytes: Buffer): void =>
    void Object.assign(request, { rawBody: bytes });
  for (const parser of [express.json({ verify: keep }), express.raw({ type: "*/*" })]) {
    await using callback = await startReceiver({
      secret: "s3cret",
      maxBytes: 100,
      express: (app, handle) => app.use(parser).use(handle),
    });
    expect((await callback.deliver(body, { ...json, ...hubSigned(body, "s3cret") })).status).toBe(200);
    expect((await callback.deliver(body, { ...json, ...hubSigned(body, "other") })).status).toBe(403);
    const large = JSON.stringify({ x: "x".repeat(100) });
    expect((await callback.deliver(large, { ...json, ...hubSigned(large, "s3cret") })).status).toBe(413);
    expect(callback.received[0]?.payload.toString()).toBe(body);
  }
});
