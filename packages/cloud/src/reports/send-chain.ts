import { Readable } from 'node:stream'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChainStore } from './chain-store.ts'

const PAGE = 1000

/** The form of an export, for programs that read one later. */
const FORM = 1

/**
 * Answers with the audit of a device as it was signed: one JSON document per line, first what it is, then every entry with
 * its exact text. `plantroom audit verify` checks it without the service.
 */
export async function sendChain(
  request: FastifyRequest,
  reply: FastifyReply,
  device: { organizationId: string; deviceId: string | undefined },
  chain: Pick<ChainStore, 'list'>,
): Promise<FastifyReply> {
  const { organizationId, deviceId } = device
  // It names everybody who placed an override, and a device may have been on several sites.
  if (request.keyId !== undefined || (request.userId !== undefined && request.role !== 'admin')) {
    throw new Failure('forbidden', 'the signed audit is for administrators and the operator')
  }
  if (deviceId === undefined) throw new Failure('invalid', 'format=chain needs a deviceId', 'deviceId')
  const first = await chain.list(organizationId, deviceId, undefined, PAGE)
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', 'attachment; filename="audit.ndjson"')
    .send(Readable.from(chainText(organizationId, deviceId, first, chain), { objectMode: false }))
}

type Page = Awaited<ReturnType<ChainStore['list']>>

async function* chainText(
  organizationId: string,
  deviceId: string,
  first: Page,
  chain: Pick<ChainStore, 'list'>,
): AsyncGenerator<string> {
  yield line({ plantroomAudit: FORM, deviceId })
  for (let page = first; page.length > 0; page = await chain.list(organizationId, deviceId, lastOf(page), PAGE)) {
    yield page
      .map(({ entry, key, signature }) => line({ entry, ...(key !== null && { signed: { key, signature } }) }))
      .join('')
  }
}

const lastOf = (page: Page) => page.at(-1)?.position
const line = (value: object) => `${JSON.stringify(value)}\n`
