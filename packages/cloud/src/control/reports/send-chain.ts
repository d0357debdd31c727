import type { AuditKey } from '@plantroom/base/audit-key'
import type { RecordedKey } from '@plantroom/contract/audit-head'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendChain as send } from '../../platform/streams/index.ts'
import type { ChainStore } from './chain-store.ts'

const PAGE = 1000

/** What the head of an export says and is signed with. */
export interface HeadDeps {
  keys(device: { id: string; organizationId: string }): Promise<RecordedKey[]>
  key: AuditKey
  now(): number
}

/** Answers with the audit of a device as it was signed. */
export async function sendChain(
  request: FastifyRequest,
  reply: FastifyReply,
  device: { organizationId: string; deviceId: string | undefined },
  { chain, head }: { chain: Pick<ChainStore, 'list'>; head: HeadDeps },
): Promise<FastifyReply> {
  const { organizationId, deviceId } = device
  // It names everybody who placed an override, and a device may have been on several sites.
  if (request.keyId !== undefined || (request.userId !== undefined && request.role !== 'admin')) {
    throw new Failure('forbidden', 'the signed audit is for administrators and the operator')
  }
  if (deviceId === undefined) throw new Failure('invalid', 'format=chain needs a deviceId', 'deviceId')
  return send(reply, {
    filename: 'audit.ndjson',
    owner: { deviceId },
    read: (after) => chain.list(organizationId, deviceId, after, PAGE),
    ...head,
    keys: () => head.keys({ id: deviceId, organizationId }),
  })
}
