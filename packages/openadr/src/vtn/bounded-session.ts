import type { Call, Session } from './session.ts'
import { VtnFailure } from './vtn-failure.ts'

/** All answers of one purpose: a VTN has at most 10,000 events, and we read a list that moves several times. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/**
 * The same session for one purpose, for example a poll. Each request has bounds of its own, and a VTN that is slow or never comes
 * to an end would use thousands of them. An aborted signal ends the request that is under way, and the others fail.
 */
export function boundedSession(session: Session, until: number, signal?: AbortSignal): Session {
  let characters = 0
  return {
    ...session,
    async call(call: Call) {
      if (session.deps.now() > until)
        throw new VtnFailure(
          'unreachable',
          `${call.method} ${call.path.slice(0, 200)}: the VTN is too slow: not everything was read in time`,
          'Does the VTN have a problem at present, and can our client see fewer events?',
        )
      const answer = await session.call({ ...call, signal })
      characters += answer.body.length
      if (characters > MAX_CHARACTERS)
        throw new VtnFailure(
          'too-large',
          `${call.method} ${call.path.slice(0, 200)}: the answers have more than ${MAX_CHARACTERS} characters`,
          'Can our client see fewer events?',
        )
      return answer
    },
  }
}
