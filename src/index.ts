/** What a Source or a Destination imports. */
export { OperationDenied, type OperatorAccess } from "./client/ask-operators-api.ts";
export { type HubOperator, hubOperator } from "./client/hub-operator.ts";
export {
  buildNotification,
  CannotBuildNotification,
  type Change,
  type NotificationOptions,
} from "./client/build-notification.ts";
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  createCallbackReceiver,
} from "./client/callback-receiver.ts";
export type {
  CallbackSubscription,
  Lease,
  SubscriptionNews,
  SubscriptionWish,
} from "./client/callback-subscription.ts";
export {
  createPublisher,
  type Published,
  type Publisher,
  type PublisherOptions,
} from "./client/create-publisher.ts";
export { discoverHub, type Discovery } from "./client/discover-hub.ts";
export {
  keepSubscribed,
  type KeepSubscribedOptions,
  type KeptSubscription,
  type SubscriptionEnd,
  SubscriptionRefused,
  type SubscriptionState,
} from "./client/keep-subscribed.ts";
export { type ListenOptions, type ListenState, listenToChannel } from "./client/listen-to-channel.ts";
export { ListenRefused } from "./client/live-connection.ts";
export { ping, type PingRequest } from "./client/ping.ts";
export type { HubAnswer, HubRequestOptions } from "./client/post-hub-form.ts";
export type { Problem } from "./client/problem.ts";
export {
  NotAChannel,
  publishNotification,
  type PublishOptions,
  type PublishOutcome,
} from "./client/publish-notification.ts";
export { type CallbackRequest, RawBodyGone } from "./client/raw-body.ts";
export {
  subscribe,
  type SubscribeRequest,
  unsubscribe,
  type UnsubscribeRequest,
} from "./client/subscribe.ts";
export { DeliveryRefused, type ReceivedNotification } from "./client/take-delivery.ts";
export { HubUnreachable } from "./client/until-decided.ts";
export type { SkippedLink } from "./client/walk-frontier.ts";
export type { TokenSource } from "./client/token-source.ts";
export { type Walk, type WalkOptions, type WalkProgress, walkSource } from "./client/walk-source.ts";
export type { SourceFinding, WalkedDocument } from "./client/walked-document.ts";
export type { Fault } from "./protocol/fault.ts";
export {
  type AcceptedProfile,
  judgeNotification,
  type NotificationVerdict,
} from "./protocol/judge-notification.ts";
export type { LiveMessage } from "./protocol/live-messages.ts";
export { validateDocument, type Validation, type ValidationOptions } from "./protocol/validate-document.ts";
export { documentTypeNames, type DocumentTypeName } from "./protocol/document-type-name.ts";
export { formatInstant, type Instant, millisecondsOf } from "./protocol/instant.ts";
export { parseDocument, type ParseOptions, type ParseOutcome } from "./protocol/parse-document.ts";
export { type DocumentPart, readEntries, UnreadableDocument } from "./protocol/read-entries.ts";
export type { ReadingLimits } from "./protocol/reading-limits.ts";
export { serializeDocument } from "./protocol/serialize-document.ts";
export {
  type Count,
  type Datetime,
  datetimeOf,
  type DocumentEntry,
  type DocumentHead,
  type DocumentLink,
  type Dropped,
  type IndexDocument,
  type Metadata,
  type PlainDocument,
  type RootName,
  type TypedDocument,
  type TypeName,
} from "./protocol/typed-document.ts";
export { CannotBeWritten } from "./protocol/escape-xml.ts";
