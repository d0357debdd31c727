import { Stack, Switch, Text } from '@mantine/core'
import { alertNotifications as texts } from '../texts/alerts.ts'
import { turnNotificationsOff, turnNotificationsOn, useNotificationState } from './alert-notifications.ts'

/** Turns notifications of new alerts on and off, in this browser. */
export function NotificationSwitch({ userId }: { userId: string }) {
  const state = useNotificationState(userId)
  const isUsable = state === 'on' || state === 'off'
  const change = (isOn: boolean) =>
    isOn ? void turnNotificationsOn(userId, { title: texts.proofTitle, body: texts.proofBody }) : turnNotificationsOff()
  return (
    <Stack gap={4}>
      <Switch
        label={texts.label}
        description={texts.hint}
        checked={state === 'on'}
        disabled={!isUsable}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      {!isUsable && (
        <Text size="sm" c="dimmed">
          {texts[state]}
        </Text>
      )}
    </Stack>
  )
}
