/** What a Source or a Destination imports. */
export {
  buildNotification,
  CannotBuildNotification,
  type Change,
  type NotificationOptions,
} from "./client/build-notification.ts";
export {
  type CallbackReceiverOptions,
  createCallbackReceiver,
  type ReceivedNotification,
} from "./client/callback-receiver.ts";
export { type ListenOptions, type ListenState, listenToChannel } from "./client/listen-to-channel.ts";
export { ListenRefused } from "./client/live-connection.ts";
export {
  HubUnreachable,
  NotAChannel,
  publishNotification,
  type PublishOptions,
  type PublishOutcome,
} from "./client/publish-notification.ts";
export type { DocumentTypeName } from "./protocol/document-type-name.ts";
export type { Fault } from "./protocol/fault.ts";
export {
  type AcceptedProfile,
  judgeNotification,
  type NotificationVerdict,
} from "./protocol/judge-notification.ts";
export type { LiveMessage } from "./protocol/live-messages.ts";
export { validateDocument, type Validation, type ValidationOptions } from "./protocol/validate-document.ts";
