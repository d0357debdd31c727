import { Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { alertNotifications as texts } from '../texts/alerts.ts'
import { turnNotificationsOff, turnNotificationsOn, useIsPushed, useNotificationState } from './alert-notifications.ts'
import { isOpenlyShown, setOpenlyShown } from './notification-texts.ts'

/** Turns notifications of new alerts on and off, in this browser. */
export function NotificationSwitch({ userId }: { userId: string }) {
  const state = useNotificationState(userId)
  const isPushed = useIsPushed(userId)
  const isUsable = state === 'on' || state === 'off'
  const change = (isOn: boolean) =>
    isOn ? turnNotificationsOn(userId, { title: texts.proofTitle, body: texts.proofBody }) : turnNotificationsOff()
  return (
    <Stack gap={4}>
      <Switch
        label={texts.label}
        description={state === 'on' ? (isPushed ? texts.pushed : texts.hint) : texts.offer}
        checked={state === 'on'}
        disabled={!isUsable}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {state === 'on' && isPushed && <OpenSwitch />}
      {!isUsable && (
        <Text size="sm" c="dimmed">
          {texts[state]}
        </Text>
      )}
    </Stack>
  )
}

/** Others may read the screen of a locked phone. */
function OpenSwitch() {
  const [isOpen, setIsOpen] = useState(isOpenlyShown)
  return (
    <Switch
      label={texts.open}
      description={isOpen ? texts.openHint : texts.closedHint}
      checked={isOpen}
      onChange={({ currentTarget: { checked } }) => {
        setIsOpen(checked)
        void setOpenlyShown(checked)
      }}
    />
  )
}
