import { Failure } from '@plantroom/contract/failure'

/** A failure of the embedded server, with a message on one line. */
export function unavailable(message: string): Failure {
  return new Failure('unavailable', message.replaceAll(/(?<!\s)\s*\n\s*/g, ' '))
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
