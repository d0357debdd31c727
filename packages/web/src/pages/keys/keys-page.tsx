import { Button, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { OperationReply } from '@plantroom/client/client'
import type { ApiKey } from '@plantroom/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'
import { CreateKey, NewKeyView } from './create-key.tsx'
import { describePermission, describeSites, inOrder } from './describe-key.ts'

/** The API keys of the organization. */
export function KeysPage() {
  const { organization } = useSite()
  if (organization.isAdmin) return <Keys />
  return (
    <>
      <PageHead title={keys.title} />
      <Empty title={keys.forAdmins} />
    </>
  )
}

function Keys() {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<OperationReply<'createKey'>>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const query = useQuery({ queryKey: ['keys', orgId], queryFn: async () => (await api.listKeys({ orgId })).keys })
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => api.revokeKey({ orgId, keyId: id }),
    async onSuccess(_done, { name }) {
      await client.invalidateQueries({ queryKey: ['keys', orgId] })
      setRevoking(undefined)
      notifications.show({ message: format(keys.revoke.done, { name }) })
    },
  })

  return (
    <>
      <PageHead title={keys.title} actions={<Button onClick={() => setIsCreating(true)}>{keys.create.open}</Button>}>
        {keys.intro}
      </PageHead>
      <QueryView query={query}>
        {(listed) =>
          listed.length === 0 ? (
            <Empty title={keys.empty}>{keys.emptyHint}</Empty>
          ) : (
            <KeyTable listed={listed} onRevoke={setRevoking} />
          )
        }
      </QueryView>
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
      <Confirm
        opened={revoking !== undefined}
        onClose={() => {
          setRevoking(undefined)
          revoke.reset()
        }}
        title={format(keys.revoke.title, { name: revoking?.name ?? '' })}
        action={keys.revoke.action}
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate(revoking)}
      >
        <Text>{keys.revoke.consequence}</Text>
      </Confirm>
    </>
  )
}

function KeyTable({ listed, onRevoke }: { listed: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const { organization, site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  return (
    <CardTable
      label={keys.label}
      rows={inOrder(listed)}
      keyOf={({ id }) => id}
      columns={[
        { head: keys.name, cell: ({ name }) => name },
        { head: keys.permissions, cell: ({ permissions }) => <Permissions of={permissions} /> },
        { head: keys.sites, cell: ({ siteIds }) => describeSites(siteIds, organization.sites) },
        { head: keys.created, time: true, cell: ({ createdAt }) => timeOf(createdAt) },
        {
          head: keys.lastUsed,
          time: true,
          cell: ({ lastUsedAt }) => (lastUsedAt ? timeOf(lastUsedAt) : keys.never),
        },
        {
          head: keys.actions,
          plain: true,
          cell: (key) =>
            key.revokedAt ? (
              <Text size="sm">{format(keys.revoked, { time: timeOf(key.revokedAt) })}</Text>
            ) : (
              <Button
                size="xs"
                variant="default"
                aria-label={format(keys.revoke.label, { name: key.name })}
                onClick={() => onRevoke(key)}
              >
                {keys.revoke.button}
              </Button>
            ),
        },
      ]}
    />
  )
}

function Permissions({ of }: { of: readonly string[] }) {
  if (of.length === 1) return of.map(describePermission)
  return (
    <List size="sm" listStyleType="none">
      {of.map((permission) => (
        <List.Item key={permission}>{describePermission(permission)}</List.Item>
      ))}
    </List>
  )
}
