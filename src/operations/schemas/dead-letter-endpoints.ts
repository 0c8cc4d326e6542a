import {
  deadLetterInFull,
  deadLetterPage,
  deadLettersQuery,
  dropped,
  dropQuery,
  resendBody,
  resent,
} from "./dead-letters.ts";
import { type Endpoint, noInput } from "./endpoint.ts";
import { idParams } from "./values.ts";

export const listDeadLetters = {
  ...noInput,
  name: "listDeadLetters",
  method: "get",
  path: "/deadletters",
  summary: "Notifications that were given up, and why",
  query: deadLettersQuery,
  answer: deadLetterPage,
} as const satisfies Endpoint;

export const getDeadLetter = {
  ...noInput,
  name: "getDeadLetter",
  method: "get",
  path: "/deadletters/{id}",
  summary: "One of them, with what was to be delivered",
  params: idParams,
  answer: deadLetterInFull,
} as const satisfies Endpoint;

export const resendDeadLetter = {
  ...noInput,
  name: "resendDeadLetter",
  method: "post",
  path: "/deadletters/{id}/resend",
  summary: "Sends it again, before anything else",
  params: idParams,
  answer: resent,
} as const satisfies Endpoint;

export const resendDeadLetters = {
  ...noInput,
  name: "resendDeadLetters",
  method: "post",
  path: "/deadletters/resend",
  summary: "Sends all again that were given up since a time",
  body: resendBody,
  answer: resent,
} as const satisfies Endpoint;

export const dropDeadLetter = {
  ...noInput,
  name: "dropDeadLetter",
  method: "delete",
  path: "/deadletters/{id}",
  summary: "Forgets it",
  params: idParams,
  answer: dropped,
} as const satisfies Endpoint;

export const dropDeadLetters = {
  ...noInput,
  name: "dropDeadLetters",
  method: "delete",
  path: "/deadletters",
  summary: "Forgets all that were given up since a time",
  query: dropQuery,
  answer: dropped,
} as const satisfies Endpoint;
