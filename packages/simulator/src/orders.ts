import { type Faults, parseFaults } from './faults.ts'

/**
 * While it runs, a parent process may send `{ faults: ['modbus:late=1500'] }` over the IPC channel: these are in force from
 * then on, and no others. It is answered with the same, or with `{ problems }` when nothing was changed.
 */
export function hearOrders(apply: (faults: Faults) => void): void {
  process.on('message', (message: unknown) => {
    const texts = faultsIn(message)
    if (!texts) return answer({ problems: ['send { faults: [...] }, a list of texts'] })
    const { faults, problems } = parseFaults(texts)
    if (problems.length > 0) return answer({ problems })
    apply(faults)
    answer({ faults: texts })
  })
}

function faultsIn(message: unknown): readonly string[] | undefined {
  const list = typeof message === 'object' && message && 'faults' in message ? message.faults : undefined
  return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : undefined
}

// With a callback: a parent that goes in this very moment must not end us with an error.
const answer = (message: object) => void process.send?.(message, undefined, undefined, () => {})
