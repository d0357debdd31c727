import type { Client } from '@plantroom/client/client'
import type { Permission } from '@plantroom/contract/permissions'
import { listDevices } from '../names.ts'
import { newPassword } from '../new-password.ts'
import type { DemoFile } from './demo-file.ts'

const ORGANIZATION = 'Demo organization'
const SITE = 'Demo building'
const DEVICE = 'Demo controller'
const PERMISSIONS: readonly Permission[] = ['edge-device:read_write', 'ticket:read_write']

/** The contents that every demo has. */
export interface DemoSeed {
  orgId: string
  siteId: string
  deviceId: string
  deviceSecret: string
  apiKey: string
  user: { email: string; password: string }
}

/** Creates whatever is missing. Safe to run again, even after an interrupted run. */
export async function seedDemo(operator: Client, before: DemoFile | undefined): Promise<DemoSeed> {
  const { organizations } = await operator.listOrganizations()
  const organization =
    byName(organizations, ORGANIZATION) ?? (await operator.addOrganization({ body: { name: ORGANIZATION } }))
  const orgId = organization.id
  const { sites } = await operator.listSites({ orgId })
  const site =
    byName(sites, SITE) ?? (await operator.addSite({ orgId, body: { name: SITE, maintenanceRequests: true } }))
  // Older data folders have it turned off.
  if (!site.maintenanceRequests) {
    await operator.updateSite({ orgId, siteId: site.id, body: { maintenanceRequests: true } })
  }
  const devices = await listDevices(operator, orgId)
  const device =
    byName(devices, DEVICE) ?? (await operator.addDevice({ orgId, body: { name: DEVICE, siteId: site.id } }))

  // Secrets are shown once. demo.json keeps those of people and partners; the device gets a new one each time.
  const { secret } = await operator.renewDeviceCredential({ orgId, deviceId: device.id })
  const known = before?.orgId === orgId ? before : undefined
  return {
    orgId,
    siteId: site.id,
    deviceId: device.id,
    deviceSecret: secret,
    apiKey: known && (await isActive(operator, orgId, known.apiKey)) ? known.apiKey : await newKey(operator, orgId),
    user: known?.user ?? (await newUser(operator, orgId)),
  }
}

function byName<Item extends { name: string }>(items: readonly Item[], name: string): Item | undefined {
  return items.find((item) => item.name === name)
}

async function isActive(operator: Client, orgId: string, apiKey: string): Promise<boolean> {
  const id = apiKey.split('_')[1]
  const { keys } = await operator.listKeys({ orgId })
  return keys.some((key) => key.id === id && key.revokedAt === null)
}

async function newKey(operator: Client, orgId: string): Promise<string> {
  const body = { name: 'Demo partner', permissions: PERMISSIONS, siteIds: null }
  return (await operator.createKey({ orgId, body })).apiKey
}

async function newUser(operator: Client, orgId: string): Promise<{ email: string; password: string }> {
  const password = newPassword()
  const add = async (email: string) => ({
    email: (await operator.addUser({ orgId, body: { email, password } })).email,
    password,
  })
  try {
    return await add('demo@plantroom.example')
  } catch {
    // The user exists, but demo.json with the password is gone, so nobody can sign in as that user.
    return await add(`demo-${newPassword().slice(0, 6).toLowerCase()}@plantroom.example`)
  }
}
