import { ApiError } from '@plantroom/client/http'
import { flag } from '../command.ts'

/** The option with which a person accepts a loss. */
export const YES = flag('accept the losses that the command names without it')

export const confirmOf = ({ yes }: { yes?: boolean | undefined }) => ({ confirm: yes ? ('true' as const) : undefined })

/** Adds to the answer that something would be lost how to accept that. */
export function askForYes(error: unknown): never {
  if (error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED') {
    error.message += '; nothing was removed: repeat with --yes to accept this'
  }
  throw error
}
