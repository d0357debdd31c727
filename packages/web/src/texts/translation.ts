/** The texts of a page: messages by key, in groups where that helps. Plain data only. */
export interface Texts {
  readonly [key: string | number]: string | Texts
}

/** Texts of which some may be missing. */
export interface PartialTexts {
  readonly [key: string | number]: string | PartialTexts | undefined
}

/** The same keys in another language. */
export type Translation<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Translation<Source[Key]>
}
