/** The value of 0.8.1 to 1.0 for change notifications; CN08 speaks of it. */
export const formerCapability = "changelist-notification";

/** The value of core 0.9 for Source Descriptions; SD05 speaks of it. */
export const formerDescription = "resourcesync";
