import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'

/** Takes a process out of service before it stops. */
export interface Drain {
  /** Rejects while the process drains, so that `/readyz` says so. */
  check(): Promise<void>
  /** Makes load balancers use other processes, and keeps serving for `graceMs` or until the signal aborts. */
  run(graceMs: number, hurry: AbortSignal): Promise<void>
}

/** While it drains, every answer ends its connection, so that the next request goes to another process. */
export function createDrain(app: FastifyInstance, { clock, log }: { clock: Clock; log: Log }): Drain {
  let isDraining = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.raw.setHeader('connection', 'close')
    done()
  })
  return {
    async check() {
      if (isDraining) throw new Error('this process is about to stop; use another one')
    },
    async run(graceMs, hurry) {
      isDraining = true
      if (graceMs === 0 || hurry.aborted) return
      log.info({ graceS: graceMs / 1000 }, 'draining: still serving, while load balancers turn to other processes')
      await sleep(clock, graceMs, hurry)
    },
  }
}
