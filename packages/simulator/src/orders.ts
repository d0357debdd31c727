import { type Faults, parseFaults } from './faults.ts'

/**
 * Lets a parent process send `{ faults: ['modbus:late=1500'] }` over the IPC channel, which replaces all faults. The reply
 * is the same message, or `{ problems }` if nothing was changed.
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

// With a callback, so that a parent that exits right now does not crash this process.
const answer = (message: object) => void process.send?.(message, undefined, undefined, () => {})
