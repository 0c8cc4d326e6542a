/** Takes a POST and posts its body on to one callback: publish and callback in one process, nothing else. `post-on.ts URL` */
import { once } from "node:events";
import { createServer } from "node:http";
import { Pool } from "undici";
import { answer } from "../harness/child.ts";
import { portOf, readBody } from "./http-server.ts";

const { origin, pathname: path } = new URL(process.argv[2] ?? "");
// One connection, so that the notifications keep their order.
const pool = new Pool(origin, { connections: 1 });
const headers = { "content-type": "application/xml" };

const server = createServer((request, response) => {
  void readBody(request).then(async (body) => {
    response.writeHead(202).end();
    const answered = await pool.request({ path, method: "POST", headers, body });
    await answered.body.dump();
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
answer({ port: () => portOf(server) });
