import { userInfo } from 'node:os'

/** Returns the name of the user of this process, or its number where it has no name, as in a container. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.()}`
  }
}
