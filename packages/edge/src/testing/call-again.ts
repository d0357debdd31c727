import type { CommandName } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { Controller } from './controller.ts'

/**
 * Sends a command as a partner does: when the device dies, it recovers, and the command is sent again with the same `reqId`.
 * Returns the reply, or the rejection.
 */
export async function callAgain(
  device: Controller,
  { command, data, reqId }: { command: CommandName; data: object; reqId: string },
  recover: () => Promise<void>,
): Promise<unknown> {
  const attempt = async () => {
    try {
      return await device.call(command, data, { reqId })
    } catch (error) {
      if (device.dead) return undefined
      if (error instanceof Failure && error.kind === 'rejected') return error
      throw error
    }
  }
  const reply = await attempt()
  if (!device.dead) return reply
  await recover()
  return attempt()
}
