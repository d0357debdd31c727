import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { type CloudConfig, readConfig } from '../config.ts'
import type { Hashing } from '../organization/access/index.ts'
import { type Cloud, type OwnParts, startCloud } from '../wire/cloud.ts'
import { createTestDatabase } from './database.ts'

/** Argon2id as in the service, but with the least cost: tests set and check passwords a thousand times. */
const CHEAP: Hashing = {
  hash: (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
  verify: (stored, password) => verify(stored, password),
}

/** Starts a whole cloud in this process, on free ports and with its own database. */
export async function startTestCloud(
  changes: Partial<CloudConfig> = {},
  own: OwnParts = { hashing: CHEAP },
): Promise<Cloud & { config: CloudConfig }> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-cloud-'))
  const config: CloudConfig = {
    folder,
    host: '127.0.0.1',
    port: 0,
    mqttPort: 0,
    publicUrl: undefined,
    tls: undefined,
    databaseUrl: changes.databaseUrl ?? (await createTestDatabase()),
    listenUrl: undefined,
    mqttUrl: undefined,
    brokerAccounts: undefined,
    smtp: undefined,
    oidc: undefined,
    s3: undefined,
    adminToken: 'test-admin-token-0123456789-0123456789',
    previousAdminToken: undefined,
    activityKey: undefined,
    activitySink: undefined,
    factorKey: undefined,
    webhookNetworks: [],
    exportFolder: undefined,
    trustedProxies: [],
    replyTimeoutMs: 2_000,
    retryDelayS: 0,
    logLevel: 'silent',
    logStyle: readConfig({}).logStyle,
    traces: undefined,
    drainS: 0,
    limits: readConfig({}).limits,
    environment: {},
    ...changes,
  }
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  const cloud = await startCloud(config, own).catch(async (error: unknown) => {
    await removeFolder()
    throw error
  })
  return {
    ...cloud,
    config,
    async stop(how) {
      await cloud.stop(how)
      await removeFolder()
    },
  }
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

/** Sends one request as a partner would. */
export async function call(
  cloud: Cloud,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; raw?: string } = {},
): Promise<Answer> {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const response = await fetch(cloud.ready.baseUrl + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...options.headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : { text }, headers: response.headers }
}

/** Sends one request as the operator. */
export async function asOperator(cloud: Cloud, method: string, path: string, body?: unknown): Promise<Answer> {
  return call(cloud, method, path, { headers: { authorization: `Bearer ${cloud.ready.adminToken}` }, body })
}

export interface Tenant {
  orgId: string
  siteId: string
  deviceId: string
  deviceSecret: string
}

/** Adds an organization with a site and a device. */
export async function addTenant(cloud: Cloud, name: string): Promise<Tenant> {
  const organization = await asOperator(cloud, 'POST', '/api/orgs', { name })
  const orgId = String(organization.body.id)
  const site = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name: 'Site', maintenanceRequests: true })
  const siteId = String(site.body.id)
  const device = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/devices`, { name: 'Device', siteId })
  return { orgId, siteId, deviceId: String(device.body.id), deviceSecret: String(device.body.secret) }
}

export async function createKey(
  cloud: Cloud,
  orgId: string,
  permissions: readonly string[],
  siteIds: readonly string[] | null = null,
): Promise<{ id: string; apiKey: string }> {
  const made = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/api-keys`, { name: 'Key', permissions, siteIds })
  return { id: String(made.body.id), apiKey: String(made.body.apiKey) }
}

export const commandPath = (orgId: string, deviceId: string, command: string) =>
  `/api/orgs/${orgId}/edge-device-admin/${deviceId}/cmd/${command}`
