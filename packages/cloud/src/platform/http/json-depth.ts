/** No body of the contract has more than a tenth of this. Deeper ones exceed the stack of what checks them. */
export const MOST_LEVELS = 100

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'"\\[]{}'].map((character) =>
  character.charCodeAt(0),
)

/** True if objects and lists lie deeper in each other than `MOST_LEVELS`. For any text, before it is parsed. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === OPEN || code === OPEN_LIST) {
      depth += 1
      if (depth > MOST_LEVELS) return true
    } else if (code === CLOSE || code === CLOSE_LIST) depth -= 1
  }
  return false
}
