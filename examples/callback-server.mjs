// The smallest useful WebSub subscriber: confirms what it asked for, checks signatures, prints what it gets.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = "keep-this-to-yourself";

createServer(async (request, response) => {
  if (request.method === "GET") {
    const challenge = new URL(request.url, "http://localhost").searchParams.get("hub.challenge");
    response
      .writeHead(200, { "Content-Type": "text/plain", "X-Content-Type-Options": "nosniff" })
      .end(challenge);
    return;
  }
  const body = Buffer.concat(await request.toArray());
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(request.headers["x-hub-signature"] ?? "");
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  response.writeHead(204).end();
  console.log(genuine ? body.toString() : "dropped: the signature does not fit");
}).listen(9000, "127.0.0.1");
