import type { Clock } from '@plantroom/base/clock'

/** Devices that come online together, say after the broker or this process restarted, are handled together. */
const GATHER_MS = 100

/** Devices that come online, gathered: whatever a return causes in the database takes one statement for all of them. */
export interface Returns {
  add(deviceId: string): void
  onBack(listener: (deviceIds: readonly string[]) => void): void
  close(): void
}

export function gatherReturns(clock: Clock): Returns {
  const listeners: ((deviceIds: readonly string[]) => void)[] = []
  const back = new Set<string>()
  let cancel: (() => void) | undefined

  function pass(): void {
    cancel = undefined
    const deviceIds = [...back]
    back.clear()
    for (const listener of listeners) listener(deviceIds)
  }
  return {
    add(deviceId) {
      back.add(deviceId)
      cancel ??= clock.after(GATHER_MS, pass)
    },
    onBack: (listener) => void listeners.push(listener),
    close: () => cancel?.(),
  }
}
