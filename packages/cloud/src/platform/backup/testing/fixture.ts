import { join } from 'node:path'

/**
 * Data of version 0.1.0: a demo with a second organization, requests with attachments, an export, keys, people, a webhook,
 * a fleet dispatch and the audit of its overrides. Every later version restores it. Its secrets open nothing else.
 */
export const FIXTURE = {
  path: join(import.meta.dirname, 'plantroom-0.1.0.backup'),
  orgId: 'org_wrpd7gfk4zqrdk2tvcp3',
  siteId: 'site_zbzpe1vrwegm302z24xa',
  deviceId: 'dev_447kpm5hy5dbdmj07daa',
  apiKey: 'plr_mun5llbgVKA3_113PIghoBgvEbirKQSbTrwfxXQoNX1V61Lp23w',
  adminToken: 'pla_BRocBcrN7DRvRL2DmCYtPmEsKnjHSI4yYw6aGuuf',
  user: { email: 'demo@plantroom.example', password: 'gTyNihFf5Rw9pbINlEcI' },
} as const
