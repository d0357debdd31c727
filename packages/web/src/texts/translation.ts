/** The texts of a page: messages by key, in groups where that helps. Plain data only. */
export interface Texts {
  readonly [key: string | number]: string | Texts
}

/** Texts of which some may be missing. */
export interface PartialTexts {
  readonly [key: string | number]: string | PartialTexts | undefined
}

/**
 * The same keys in another language. A message with plural forms is one message there. A key may be missing only while it
 * is on the list in `texts.test.ts`.
 */
export type Translation<Source> = {
  readonly [Key in keyof Source]?: Source[Key] extends string | { readonly one: string; readonly other: string }
    ? string
    : Translation<Source[Key]>
}
