import type { AdminClient, Named } from '@plantroom/client/admin'
import { newPassword } from '../new-password.ts'
import type { DemoFile } from './demo-file.ts'

const ORGANIZATION = 'Demo organization'
const SITE = 'Demo building'
const DEVICE = 'Demo controller'
const PERMISSIONS = ['edge-device:read_write', 'ticket:read_write']

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
export async function seedDemo(admin: AdminClient, before: DemoFile | undefined): Promise<DemoSeed> {
  const organization = byName(await admin.organizations(), ORGANIZATION) ?? (await admin.addOrganization(ORGANIZATION))
  const orgId = organization.id
  const site =
    byName(await admin.sites(orgId), SITE) ?? (await admin.addSite(orgId, { name: SITE, maintenanceRequests: true }))
  // Older data folders have it turned off.
  if (!site.maintenanceRequests) await admin.updateSite(orgId, site.id, { maintenanceRequests: true })
  const device = byName(await admin.devices(orgId), DEVICE) ?? (await admin.addDevice(orgId, site.id, DEVICE))

  // Secrets are shown once. demo.json keeps those of people and partners; the device gets a new one each time.
  const { secret } = await admin.renewCredential(orgId, device.id)
  const known = before?.orgId === orgId ? before : undefined
  return {
    orgId,
    siteId: site.id,
    deviceId: device.id,
    deviceSecret: secret,
    apiKey: known && (await isActive(admin, orgId, known.apiKey)) ? known.apiKey : await newKey(admin, orgId),
    user: known?.user ?? (await newUser(admin, orgId)),
  }
}

function byName<Item extends Named>(items: readonly Item[], name: string): Item | undefined {
  return items.find((item) => item.name === name)
}

async function isActive(admin: AdminClient, orgId: string, apiKey: string): Promise<boolean> {
  const id = apiKey.split('_')[1]
  return (await admin.keys(orgId)).some((key) => key.id === id && key.revokedAt === null)
}

async function newKey(admin: AdminClient, orgId: string): Promise<string> {
  return (await admin.createKey(orgId, { name: 'Demo partner', permissions: PERMISSIONS, siteIds: null })).apiKey
}

async function newUser(admin: AdminClient, orgId: string): Promise<{ email: string; password: string }> {
  const password = newPassword()
  try {
    return { email: (await admin.addUser(orgId, 'demo@plantroom.example', password)).email, password }
  } catch {
    // The user exists, but demo.json with the password is gone, so nobody can sign in as that user.
    const email = `demo-${newPassword().slice(0, 6).toLowerCase()}@plantroom.example`
    return { email: (await admin.addUser(orgId, email, password)).email, password }
  }
}
