const LONGEST = 100

/** A name as messages show it: control characters escaped, cut at 100 characters. */
export function shown(name: string): string {
  // Whatever is longer is cut anyway: a name of a megabyte is not split into characters for that.
  const characters = [...name.slice(0, 2 * LONGEST + 2)]
  const cut = characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
  return cut.replace(/[\p{Cc}\u2028\u2029\p{Cs}]/gu, (each) => {
    return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
