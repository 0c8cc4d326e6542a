// Loaded into a hub with `node --import`: its clock (Date) goes wrong by what a file says, from SIGUSR2 on. Timers are those of the
// monotonic clock and stay right, as when an administrator or NTP steps the clock of a machine. Redis keeps the right time.
import { readFileSync } from "node:fs";
import process from "node:process";

const RightDate = globalThis.Date;
let offset = 0;

const now = () => RightDate.now() + offset;
globalThis.Date = new Proxy(RightDate, {
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [now()] : args, asked),
});

process.on("SIGUSR2", () => {
  offset = Number(readFileSync(process.env.SHIFTED_CLOCK_FILE ?? "", "utf8"));
});
