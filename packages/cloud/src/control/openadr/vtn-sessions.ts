import type { Clock } from '@plantroom/base/clock'
import { type OpenVtn, openVtn } from '@plantroom/openadr/vtn'
import { BOUNDS, type Transport } from '../../platform/outbound/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import type { ProgramSettings, StoredProgram } from './program-store.ts'

/**
 * How long one purpose may ask a VTN: a poll, a report, a check. A VTN of 10,000 events has more than half a second for each
 * page, and one that never comes to an end keeps a program no longer than this from what people opted out of.
 */
export const ASKING_MS = 120_000

/** The most VTNs that a process remembers tokens and ETags of. */
const MAX_OPEN = 2_000

export interface SessionDeps {
  transport: Transport
  seal: Seal
  clock: Clock
}

/** The VTNs that this process has asked: each keeps its token and what it answered, so that a poll is cheap. */
export interface VtnSessions {
  open(program: StoredProgram): OpenVtn
  /** Forgets what a VTN said: it may not be what is stored. */
  forget(programId: string): void
}

export function createVtnSessions(deps: SessionDeps): VtnSessions {
  const sessions = new Map<string, { settings: string; vtn: OpenVtn }>()
  return {
    open(program) {
      const { id, secret } = program
      const settings = JSON.stringify([program.settings, secret.toString('base64')])
      const known = sessions.get(id)
      const vtn = known?.settings === settings ? known.vtn : openOnce(program, deps)
      // The one that was used last is the last to be forgotten.
      sessions.delete(id)
      sessions.set(id, { settings, vtn })
      const [oldest] = sessions.keys()
      if (sessions.size > MAX_OPEN && oldest !== undefined) sessions.delete(oldest)
      return vtn
    },
    forget: (programId) => void sessions.delete(programId),
  }
}

/** Of a program, what it takes to reach its VTN. */
export interface VtnClient extends Pick<StoredProgram, 'id' | 'organizationId' | 'secret' | 'notifyToken'> {
  settings: Pick<ProgramSettings, 'vtnUrl' | 'version' | 'tokenUrl' | 'clientId' | 'scope' | 'audience'>
}

/** Opens a VTN that nothing is remembered of. */
export function openOnce(program: VtnClient, { transport, seal, clock }: SessionDeps): OpenVtn {
  const { id, organizationId, settings, secret, notifyToken } = program
  const { vtnUrl, version, tokenUrl, clientId, scope, audience } = settings
  const access = {
    ...{ baseUrl: vtnUrl, version, clientId },
    clientSecret: seal.open(secret, id),
    ownSecrets: [notifyToken],
    ...(tokenUrl !== null && { tokenUrl }),
    ...(scope !== null && { scope }),
    ...(audience !== null && { audience }),
  }
  return openVtn(access, {
    now: () => clock.now(),
    async send({ url, method, headers, body, signal }) {
      const answer = await transport.send(new URL(url), {
        method,
        headers,
        body,
        signal,
        // A report that is sent twice is stored twice.
        keepsConnection: method === 'GET',
        group: organizationId,
        bounds: BOUNDS.vtn,
      })
      return { status: answer.status, headers: answer.headers, body: answer.body.toString() }
    },
  })
}
