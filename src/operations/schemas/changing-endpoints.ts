import { type Endpoint, noInput } from "./endpoint.ts";
import { moved, replayBody, replayed, rewindBody } from "./placing.ts";
import {
  changeBody,
  ended,
  endQuery,
  pauseBody,
  recordList,
  recordsQuery,
  rotatedSecret,
  secretBody,
  subscription,
} from "./subscriptions.ts";
import { idParams } from "./values.ts";

export const changeSubscription = {
  ...noInput,
  name: "changeSubscription",
  method: "patch",
  path: "/subscriptions/{id}",
  summary: "Decides for this subscription what becomes of notifications after their last attempt",
  params: idParams,
  body: changeBody,
  answer: subscription,
} as const satisfies Endpoint;

export const endSubscription = {
  ...noInput,
  name: "endSubscription",
  method: "delete",
  path: "/subscriptions/{id}",
  summary: "Ends it, and tells its callback so (hub.mode=denied)",
  params: idParams,
  query: endQuery,
  answer: ended,
} as const satisfies Endpoint;

export const pauseSubscription = {
  ...noInput,
  name: "pauseSubscription",
  method: "post",
  path: "/subscriptions/{id}/pause",
  summary: "Stops delivery until it is resumed, over renewals too",
  params: idParams,
  body: pauseBody,
  answer: subscription,
} as const satisfies Endpoint;

export const resumeSubscription = {
  ...noInput,
  name: "resumeSubscription",
  method: "post",
  path: "/subscriptions/{id}/resume",
  summary: "Ends a pause, whoever paused it, or the wait for the next attempt",
  params: idParams,
  answer: subscription,
} as const satisfies Endpoint;

export const rewindSubscription = {
  ...noInput,
  name: "rewindSubscription",
  method: "post",
  path: "/subscriptions/{id}/rewind",
  summary: "Lets it go on from another place in the log, back or forward",
  params: idParams,
  body: rewindBody,
  answer: moved,
} as const satisfies Endpoint;

export const replaySubscription = {
  ...noInput,
  name: "replaySubscription",
  method: "post",
  path: "/subscriptions/{id}/replay",
  summary: "Sends again what came since a time, or of that only what was given up",
  params: idParams,
  body: replayBody,
  answer: replayed,
} as const satisfies Endpoint;

export const rotateSecret = {
  ...noInput,
  name: "rotateSecret",
  method: "post",
  path: "/subscriptions/{id}/secret",
  summary: "Signs with a new secret; the old one signs too for a while",
  params: idParams,
  body: secretBody,
  answer: rotatedSecret,
} as const satisfies Endpoint;

export const listAttempts = {
  ...noInput,
  name: "listAttempts",
  method: "get",
  path: "/subscriptions/{id}/attempts",
  summary: "The latest attempts at its callback, newest first",
  params: idParams,
  query: recordsQuery,
  answer: recordList,
} as const satisfies Endpoint;
