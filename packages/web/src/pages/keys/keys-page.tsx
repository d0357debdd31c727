import { Button, Group, List, Text } from '@mantine/core'
import type { ApiKey } from '@plantroom/contract/api'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ForAdmins } from '../../parts/for-admins.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'
import { CreateKey, type NewKey, NewKeyView } from './create-key.tsx'
import { describeLastUse, describePermission, describeSites, describeState, inOrder } from './describe-key.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

/** The API keys of the organization. */
export function KeysPage() {
  const { isAdmin } = useOrganization().organization
  return (
    <ForAdmins isAdmin={isAdmin} title={keys.title} hint={keys.forAdmins}>
      <Keys />
    </ForAdmins>
  )
}

function Keys() {
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<NewKey>()
  const [rotating, setRotating] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const query = useOperation('listKeys', {}, { select: (reply) => reply.keys })

  return (
    <>
      <PageHead title={keys.title} actions={<Button onClick={() => setIsCreating(true)}>{keys.create.open}</Button>}>
        {keys.intro}
      </PageHead>
      <ListView query={query} empty={<Empty title={keys.empty}>{keys.emptyHint}</Empty>}>
        {(listed) => <KeyTable listed={listed} onRotate={setRotating} onRevoke={setRevoking} />}
      </ListView>
      {isCreating && (
        <CreateKey
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created && <NewKeyView apiKey={created} onClose={() => setCreated(undefined)} />}
      {rotating && (
        <RotateKey
          apiKey={rotating}
          onClose={() => setRotating(undefined)}
          onRotated={(key) => {
            setRotating(undefined)
            setCreated(key)
          }}
        />
      )}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

interface KeyActions {
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

function KeyTable({ listed, ...actions }: { listed: readonly ApiKey[] } & KeyActions) {
  const { organization, timeZone } = useOrganization()
  const timeOf = (at: string) => fullTime(at, timeZone)
  return (
    <CardTable
      label={keys.label}
      rows={inOrder(listed)}
      keyOf={({ id }) => id}
      columns={[
        { head: keys.name, cell: ({ name }) => name },
        { head: keys.permissions, cell: ({ permissions }) => <Lines of={permissions.map(describePermission)} /> },
        { head: keys.sites, cell: ({ siteIds }) => describeSites(siteIds, organization.sites) },
        { head: keys.created, time: true, cell: ({ createdAt }) => timeOf(createdAt) },
        { head: keys.lastUsed, time: true, cell: (key) => describeLastUse(key, timeOf) },
        { head: keys.state, cell: (key) => <Lines of={describeState(key, timeOf)} /> },
        { head: keys.actions, plain: true, cell: (key) => <Actions apiKey={key} {...actions} /> },
      ]}
    />
  )
}

/** An expired key can still be revoked, which cancels what it placed. */
function Actions({ apiKey, onRotate, onRevoke }: { apiKey: ApiKey } & KeyActions) {
  const { name, state } = apiKey
  if (state === 'revoked') return null
  return (
    <Group gap="xs">
      {state === 'active' && (
        <SmallButton aria-label={format(keys.rotate.label, { name })} onClick={() => onRotate(apiKey)}>
          {keys.rotate.button}
        </SmallButton>
      )}
      <SmallButton aria-label={format(keys.revoke.label, { name })} onClick={() => onRevoke(apiKey)}>
        {keys.revoke.button}
      </SmallButton>
    </Group>
  )
}

function Lines({ of }: { of: readonly string[] }) {
  if (of.length === 1) return <Text size="sm">{of[0]}</Text>
  return (
    <List size="sm" listStyleType="none">
      {of.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
