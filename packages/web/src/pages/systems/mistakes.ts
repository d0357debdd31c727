/** One mistake of a file, and where it stands there. */
export interface Mistake {
  /** Empty where the service did not say. */
  path: string
  message: string
}

// A path stands before every mistake; a message may hold a semicolon of its own.
const BETWEEN = /; (?=[A-Za-z]+(?:\[\d+\]|\.[A-Za-z0-9_-]+)*: )/
const ONE = /^([A-Za-z]+(?:\[\d+\]|\.[A-Za-z0-9_-]+)*):? (.*)$/s

/** The mistakes that a message of the service lists, as `path: message; path: message`. */
export function mistakesIn(message: string): Mistake[] {
  return message.split(BETWEEN).map((one) => {
    const [, path, rule] = ONE.exec(one) ?? []
    const isPath = path !== undefined && rule !== undefined && (/[.[]/.test(path) || one.startsWith(`${path}:`))
    return isPath ? { path, message: rule } : { path: '', message: one }
  })
}
