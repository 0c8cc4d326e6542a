import type { z } from "zod";

/** A row came back from storage in a form that this version of the hub did not write. */
class StoredRowDamaged extends Error {
  override name = "StoredRowDamaged";
  readonly mayRetry = false;
}

/**
 * Checks what storage gave back. The message names the table, the key and the faulty fields, never a value: rows hold
 * secrets of subscribers.
 */
export function checkRow<Row>(schema: z.ZodType<Row>, value: unknown, where: string): Row {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, code }) => `${path.join(".") || "row"} (${code})`);
  throw new StoredRowDamaged(
    `Stored row ${where} is damaged at ${fields.join(", ")}: restore the store from a backup, or remove the row`,
  );
}

/** The same for rows that are kept as JSON. */
export function checkJsonRow<Row>(schema: z.ZodType<Row>, text: string, where: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StoredRowDamaged(
      `Stored row ${where} is not JSON: restore the store from a backup, or remove the row`,
    );
  }
  return checkRow(schema, value, where);
}
