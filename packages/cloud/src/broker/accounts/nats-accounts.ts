import type { AccountsDeps, DeviceAccounts } from './device-accounts.ts'

export function openNatsAccounts(_deps: AccountsDeps & { path: string }): Promise<DeviceAccounts> {
  throw new Error('not yet')
}
