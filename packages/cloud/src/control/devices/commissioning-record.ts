import type { AuditKey } from '@plantroom/base/audit-key'
import type { Clock } from '@plantroom/base/clock'
import { sha256 } from '@plantroom/base/sha256'
import {
  API,
  type CommissioningRecord,
  MAX_RECORDED_TESTS,
  type OutputTest,
  type RecordedTest,
} from '@plantroom/contract/api'
import { type CommissioningFile, fileWarnings, isSecretField, jsonOf } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import type { Mirror } from '../../platform/db/mirror.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { commissioningFileOf } from './commissioning-file.ts'
import type { CommissioningVersionStore } from './commissioning-version-store.ts'
import type { Device } from './device-store.ts'
import { signWarnings } from './meter-signs.ts'
import type { OutputTestStore } from './output-test-store.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'

const PAGE = 100

interface RecordDeps {
  devices: Pick<Mirror<Device>, 'get'>
  systems: Pick<TechnicalSystemStore, 'list' | 'siteOf'>
  versions: Pick<CommissioningVersionStore, 'list'>
  tests: Pick<OutputTestStore, 'list' | 'confirmedAt'>
  softwareOf(deviceId: string): string | null
  key: AuditKey
  clock: Clock
}

/** Signs what was commissioned on a controller and how it was tested. */
export function commissioningRecordRoute(app: FastifyInstance, deps: RecordDeps): void {
  addRoute(app, API.getCommissioningRecord, async (request) => {
    const { orgId, deviceId } = request.params
    const device = deps.devices.get(deviceId)
    if (device?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const record = await recordOf(deps, device)
    const hash = sha256(jsonOf(record))
    const { key, signature } = deps.key.sign(hash)
    return { record, hash, signed: { key, signature } }
  })
}

async function recordOf(deps: RecordDeps, device: Device): Promise<CommissioningRecord> {
  const { systems, versions, tests, softwareOf, clock } = deps
  const { id, name, organizationId } = device
  const all = await versions.list(id, undefined)
  const commissioned = await systems.list(id)
  const loaded = commissioned.map(async (system) => {
    const current = all.find(({ technicalSystemId, isCurrent }) => isCurrent && technicalSystemId === system.id)
    const file = commissioningFileOf(system, current?.templates)
    return {
      technicalSystemId: system.id,
      version: current?.version ?? null,
      at: current?.at ?? null,
      by: current?.by ?? null,
      file: withoutSecrets(file),
      warnings: [...fileWarnings(file), ...(await signWarnings(tests, id, system))],
    }
  })
  return {
    at: formatTimestamp(clock.now()),
    organizationId,
    site: await systems.siteOf(id),
    device: { id, name, software: softwareOf(id) },
    systems: await Promise.all(loaded),
    rolledBack: all.filter(({ rolledBack }) => rolledBack !== null),
    tests: placed(await testsOf(tests, id), commissioned),
  }
}

async function testsOf(tests: RecordDeps['tests'], deviceId: string): Promise<OutputTest[]> {
  const found: OutputTest[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await tests.list(deviceId, { limit: PAGE, cursor })
    found.push(...items)
    cursor = next ?? undefined
  } while (cursor !== undefined && found.length < MAX_RECORDED_TESTS)
  return found
}

/** Adds where the datapoints of tests are now. */
function placed(tests: readonly OutputTest[], systems: readonly TechnicalSystem[]): RecordedTest[] {
  const places = new Map(
    systems
      .flatMap(({ connections }) => connections)
      .flatMap(({ name, datapoints }) => datapoints.map(({ id, unit }) => [id, { name, unit }] as const)),
  )
  return tests.map((test) => ({
    ...test,
    connection: places.get(test.datapoint.id)?.name ?? null,
    unit: places.get(test.datapoint.id)?.unit ?? null,
    meterUnit: (test.meter && places.get(test.meter.id)?.unit) ?? null,
  }))
}

/** A record goes to people who must not control the equipment. */
function withoutSecrets(file: CommissioningFile): CommissioningFile {
  const connections = file.connections.map((connection) => ({
    ...connection,
    settings: openFields(connection.settings),
  }))
  return { ...file, connections }
}

function openFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([field, value]) => !isSecretField({ field, from: value, to: value }))
      .map(([field, value]) => [field, isFields(value) ? openFields(value) : value]),
  )
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
