import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lets others come first where cores are few; where a core is free, the work takes no longer. Without an id it is the calling
 * thread on Linux, and the calling process elsewhere.
 */
export function giveWay(pid = 0): void {
  try {
    setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // It has ended already, or this system does not permit it.
  }
}
