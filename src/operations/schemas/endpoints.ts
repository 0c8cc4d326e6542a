import { z } from "zod";
import { channelPage, channelsQuery, setList } from "./channels.ts";
import { type Endpoint, noInput } from "./endpoint.ts";
import { subscription, subscriptionPage, subscriptionsQuery } from "./subscriptions.ts";
import { idParams } from "./values.ts";

export const describeApi = {
  ...noInput,
  name: "describeApi",
  method: "get",
  path: "/openapi.json",
  summary: "This description; it asks for no token",
  answer: z.looseObject({ openapi: z.string() }),
} as const satisfies Endpoint;

export const listLinks = {
  ...noInput,
  name: "listLinks",
  method: "get",
  path: "/",
  summary: "Where everything is",
  answer: z.object({ links: z.record(z.string(), z.url()) }),
} as const satisfies Endpoint;

export const listSets = {
  ...noInput,
  name: "listSets",
  method: "get",
  path: "/sets",
  summary: "The sets of resources",
  answer: setList,
} as const satisfies Endpoint;

export const listChannels = {
  ...noInput,
  name: "listChannels",
  method: "get",
  path: "/channels",
  summary: "The channels, what their logs hold, and their subscriptions by state",
  query: channelsQuery,
  answer: channelPage,
} as const satisfies Endpoint;

export const listSubscriptions = {
  ...noInput,
  name: "listSubscriptions",
  method: "get",
  path: "/subscriptions",
  summary: "Subscriptions, with their state and how far they are behind",
  query: subscriptionsQuery,
  answer: subscriptionPage,
} as const satisfies Endpoint;

export const getSubscription = {
  ...noInput,
  name: "getSubscription",
  method: "get",
  path: "/subscriptions/{id}",
  summary: "One subscription",
  params: idParams,
  answer: subscription,
} as const satisfies Endpoint;
