import type { AccountsDeps, DeviceAccounts } from './device-accounts.ts'

/** Opens the accounts as the settings ask for. The code is loaded here, because most services need none of it. */
export async function openDeviceAccounts(
  settings: { kind: 'mosquitto' } | { kind: 'file'; path: string },
  deps: AccountsDeps,
): Promise<DeviceAccounts> {
  if (settings.kind === 'mosquitto') {
    const { openMosquittoAccounts } = await import('./mosquitto-accounts.ts')
    return openMosquittoAccounts(deps)
  }
  const { openNatsAccounts } = await import('./nats-accounts.ts')
  return openNatsAccounts({ ...deps, path: settings.path })
}
