import { createPublicKey } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fingerprintOf } from '@plantroom/base/audit-key'
import { pathOf } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { AuditKey } from '@plantroom/contract/audit-head'
import { readIfValid } from '@plantroom/contract/read'
import { type Judgement, judge } from '../audit/judge.ts'
import { judgeRecord } from '../audit/judge-record.ts'
import { readExport } from '../audit/read-export.ts'
import type { ChainOwner, ChainVerdict } from '../audit/verify-chain.ts'
import { administration, anyoneClient, deviceOf, operatorClient } from '../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure, repeated, UsageError, valued } from '../command.ts'
import type { Flags } from '../config.ts'
import { command, verb } from '../declare.ts'
import { print } from '../output.ts'

const FILE = { name: 'FILE', completes: 'file' } as const
const TRUST = repeated(
  'KEY',
  'the key of the service: the fingerprint that plantroom audit key prints, or a file with the public key. Only with it can a file be intact',
  { completes: 'file' },
)

export const audit = command('audit', {
  group: 'history',
  about: 'export the signed audit of a device or the signed activity, and verify one without the service',
  notes: `verify exits with 0 if the file is as the service exported it and every entry is as it was signed. It exits with 1 and says what was changed, removed or added, also at the beginning and the end.
It exits with 3 if the file is consistent, but the key is not vouched for: without --trust, anyone could have signed it. Files of earlier versions always end so.`,
  verbs: {
    export: verb({
      about: 'write the audit of a device, or the activity, as it was signed',
      arguments: [FILE],
      options: {
        ...COMMON_FLAGS,
        device: valued('DEVICE', 'the audit of this device, by id or name (PLANTROOM_DEVICE)', { completes: 'device' }),
        activity: flag('the activity of the organization instead'),
        service: flag('the activity that belongs to no organization instead'),
      },
      json: '{file}',
      async run(flags, { FILE }) {
        if ([flags.device, flags.activity, flags.service].filter((one) => one !== undefined).length > 1) {
          throw new UsageError('give only one of --device ID, --activity and --service')
        }
        const { config } = operatorClient(flags)
        const path = await chainPath(flags)
        const answer = await fetch(`${config.url}${path}`, {
          headers: { authorization: `Bearer ${config.adminToken}` },
        })
        if (!answer.ok || !answer.body) throw new ApiError(answer.status, (await answer.json()) as { message: string })
        await pipeline(Readable.fromWeb(answer.body), createWriteStream(FILE))
        print(flags.json, { file: FILE }, () => `wrote ${FILE}; check it with: plantroom audit verify ${FILE}`)
      },
    }),
    key: verb({
      about: 'print the key with which the service signs exports, for verify --trust',
      options: { json: COMMON_FLAGS.json, profile: COMMON_FLAGS.profile, url: COMMON_FLAGS.url },
      json: '{key, fingerprint}',
      async run(flags) {
        const key = await anyoneClient(flags).getAuditKey({})
        print(flags.json, key, () => key.fingerprint)
      },
    }),
    verify: verb({
      about: 'check such a file, without the service',
      arguments: [FILE],
      options: {
        json: COMMON_FLAGS.json,
        trust: TRUST,
        key: repeated(
          'FINGERPRINT',
          'the entries must be signed with this key of your controller: its log shows it. A controller that was replaced has a key of its own: give one for each',
        ),
      },
      json: '{standing, reason, at, signedBy, deviceId or organizationId, entries, first, last, hash, keys, misfit}',
      async run(flags, { FILE }) {
        const controller = (flags.key ?? []).map((key) => key.toLowerCase())
        const service = await Promise.all((flags.trust ?? []).map(trusted))
        const contents = await readExport(FILE, controller)
        const { owner, chain } = contents
        const judgement = judge(contents, { service, controller })
        print(flags.json, { ...judgement, ...owner, ...chain }, () => describe(nameOf(owner), chain, judgement))
        if (judgement.standing !== 'intact')
          throw new ReportedFailure(judgement.standing === 'broken' ? 1 : CANNOT_KNOW)
      },
    }),
    'verify-record': verb({
      about: 'check a record that device record printed, without the service',
      arguments: [FILE],
      options: { json: COMMON_FLAGS.json, trust: TRUST },
      json: '{standing, reason, signedBy}',
      async run(flags, { FILE }) {
        const judgement = judgeRecord(
          parsed(await readFile(FILE, 'utf8')),
          await Promise.all((flags.trust ?? []).map(trusted)),
        )
        print(flags.json, judgement, () => `${judgement.standing}: ${judgement.reason}`)
        if (judgement.standing !== 'intact')
          throw new ReportedFailure(judgement.standing === 'broken' ? 1 : CANNOT_KNOW)
      },
    }),
  },
})

/** The exit code of `verify` for a file that is consistent and that proves no more than that. */
const CANNOT_KNOW = 3

async function chainPath(flags: Flags & { activity?: boolean; service?: boolean }): Promise<string> {
  const format = 'chain'
  if (flags.service) return pathOf('listServiceActivity', { query: { format } })
  const { orgId, deviceId, config } = await administration(flags)
  if (flags.activity) return pathOf('listActivity', { orgId, query: { format } })
  return pathOf('listReports', { orgId, query: { deviceId: await deviceId(deviceOf(config)), format } })
}

function nameOf(owner: ChainOwner): string {
  if ('deviceId' in owner) return `device ${owner.deviceId}`
  return owner.organizationId === null ? 'the service' : `organization ${owner.organizationId}`
}

function describe(owner: string, { entries, first = 0, last, keys }: ChainVerdict, judgement: Judgement): string {
  const { standing, reason, at, signedBy } = judgement
  if (standing === 'broken') return `NOT intact: ${reason} (${owner})`
  const what = entries === 0 ? `no entries of ${owner}` : `${entries} entries of ${owner}, ${first} to ${last}`
  const lines = standing === 'intact' ? [`intact: ${what}`] : [`consistent, but the key is not vouched for: ${what}`]
  if (reason !== undefined) lines.push(reason)
  if (keys.length > 0) lines.push(`entries signed with ${keys.join(', ')}`)
  if (signedBy !== undefined) lines.push(`exported at ${at}, head signed with ${signedBy}`)
  if (first > 1) lines.push(`it begins with entry ${first}: earlier ones are from before the audit was signed`)
  return lines.join('\n')
}

/** Returns the fingerprint of a key of the service, given as that or as a file with the key. */
async function trusted(given: string): Promise<string> {
  if (FINGERPRINT.test(given)) return given.toLowerCase()
  const text = await readFile(given, 'utf8').catch((error: Error) => {
    throw new Error(
      `cannot read the key in ${given}: ${error.message}. "plantroom audit key" prints the key of the service`,
    )
  })
  // What `plantroom audit key` prints, kept in a file.
  if (FINGERPRINT.test(text.trim())) return text.trim().toLowerCase()
  const key = readIfValid(AuditKey, parsed(text))?.key ?? text.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  try {
    createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
  } catch {
    throw new UsageError(
      `--trust ${given} is neither a fingerprint (64 hexadecimal digits) nor a file with a public key`,
    )
  }
  return fingerprintOf(key)
}

const FINGERPRINT = /^[0-9a-f]{64}$/i

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
