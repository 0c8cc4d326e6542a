declare const brand: unique symbol;

/** A value that was checked: only the parser of its kind makes it. */
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
