// First step of `npm test`: brings what the tests need beside Node, or says what to install.
// Redis judges the Redis engine, xmllint (libxml2) judges our reading of XML, openssl makes certificates, a browser shows pages.
import { spawnSync } from "node:child_process";
import process from "node:process";

const found = (command) => spawnSync("which", [command], { stdio: "ignore" }).status === 0;

const missing = [];
if (process.env.HUB_TEST_REDIS_URL === undefined && !found("redis-server")) {
  missing.push({ command: "redis-server", debian: "redis-server" });
}
if (!found("openssl")) missing.push({ command: "openssl", debian: "openssl" });
if (!["chromium", "chromium-browser", "google-chrome"].some(found)) {
  missing.push({ command: "chromium", debian: "chromium" });
}
if (!found("xmllint")) missing.push({ command: "xmllint", debian: "libxml2-utils" });

if (missing.length > 0 && process.getuid?.() === 0 && found("apt-get")) {
  const packages = missing.map(({ debian }) => debian);
  process.stdout.write(`Installing ${packages.join(" and ")} for the tests …\n`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit", env: environment });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
    env: environment,
  });
}

const stillMissing = missing.filter(({ command }) => !found(command));
if (stillMissing.length > 0) {
  const names = stillMissing.map(({ command, debian }) => `${command} (Debian package ${debian})`);
  process.stderr.write(
    `The tests need ${names.join(" and ")} on the PATH; for Redis, HUB_TEST_REDIS_URL may name a server to use instead.\n`,
  );
  // Without a browser a single test fails, and says the same; without the others most would.
  if (stillMissing.some(({ command }) => command !== "chromium")) process.exitCode = 1;
}
