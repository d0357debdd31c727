/** The sites that a caller sees, or the one among them that they ask for. `undefined` for all. */
export function sitesOf(
  visible: ReadonlySet<string> | undefined,
  asked: string | undefined,
): readonly string[] | undefined {
  if (asked === undefined) return visible && [...visible]
  return visible === undefined || visible.has(asked) ? [asked] : []
}
