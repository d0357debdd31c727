import { deviceFilters, publishedBy, topics, topicsOf } from '@plantroom/contract/topics'
import type { Command } from './dynamic-security.ts'

interface Rule {
  acltype: 'publishClientSend' | 'publishClientReceive' | 'subscribePattern' | 'subscribeLiteral' | 'unsubscribePattern'
  topic: string
  priority: number
  allow: boolean
}

/** A role of the dynamic security plugin. */
export interface BrokerRole {
  rolename: string
  acls: readonly Rule[]
}

const rule = (acltype: Rule['acltype'], topic: string, allow: boolean): Rule => ({ acltype, topic, priority: 0, allow })

/** Comes first: the hello to all devices, and the topics that only the cloud writes. */
const EVERY_DEVICE: BrokerRole = {
  rolename: 'plantroom-device',
  acls: [
    rule('subscribeLiteral', topics.hello(), true),
    rule('publishClientReceive', topics.hello(), true),
    // What a device reads, it does not write.
    ...deviceFilters('+').map((filter) => rule('publishClientSend', filter, false)),
  ],
}

/** Comes last: whatever the defaults of the broker allow, a device gets nothing else. */
const NOTHING_ELSE: BrokerRole = {
  rolename: 'plantroom-nothing-else',
  acls: [
    rule('publishClientSend', '#', false),
    rule('publishClientSend', '$CONTROL/#', false),
    rule('publishClientReceive', '#', false),
    rule('subscribePattern', '#', false),
    rule('subscribePattern', '$share/#', false),
    rule('subscribePattern', '$SYS/#', false),
    rule('unsubscribePattern', '#', true),
  ],
}

/** The roles that all devices share. Only these change with a version that has other topics. */
export const SHARED_ROLES = [EVERY_DEVICE, NOTHING_ELSE] as const

/** The role with the topics of one device. The plugin has no placeholder for the user name in roles. */
export function deviceRole(deviceId: string): BrokerRole {
  const all = topicsOf(deviceId)
  return {
    rolename: deviceId,
    acls: [
      ...publishedBy(deviceId).map((filter) => rule('publishClientSend', filter, true)),
      ...(['publishClientReceive', 'subscribePattern'] as const).map((type) => rule(type, all, true)),
    ],
  }
}

/** The account of a device. Nobody else can use its client id, and it can use no other. */
export const createDeviceClient = (deviceId: string, secret: string, serviceId: string): Command => ({
  command: 'createClient',
  username: deviceId,
  clientid: deviceId,
  password: secret,
  textname: 'Plantroom device',
  textdescription: serviceId,
  roles: [
    { rolename: EVERY_DEVICE.rolename, priority: 2 },
    { rolename: deviceId, priority: 1 },
    { rolename: NOTHING_ELSE.rolename, priority: 0 },
  ],
})

/** Whether two roles have the same rules, in any order. */
export function isSameRole(one: BrokerRole, other: BrokerRole): boolean {
  const describe = ({ acls }: BrokerRole) =>
    acls
      .map(({ acltype, topic, priority, allow }) => `${acltype} ${topic} ${priority ?? 0} ${allow}`)
      .sort()
      .join()
  return describe(one) === describe(other)
}
