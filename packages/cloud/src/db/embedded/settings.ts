import type { Connection, Layout } from './layout.ts'

/** The arguments of `initdb`, for a cluster that does not depend on the machine's locale and time zone. */
export function initdbArguments(folder: string, connection: Connection): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${connection.user}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // Written to postgresql.conf, where an operator may change them.
    '--set=max_connections=100',
    '--set=shared_buffers=32MB',
    '--set=timezone=UTC',
  ]
}

/** The arguments of `postgres`. They override postgresql.conf, because the launcher relies on them. */
export function serverArguments(layout: Layout, connection: Connection): string[] {
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    port: String(connection.port),
    unix_socket_directories: `"${connection.host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: layout.clusterName,
    update_process_title: 'on',
    ...LOGGING,
  }
  return ['-D', layout.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

const LOGGING = {
  log_destination: 'stderr',
  logging_collector: 'on',
  log_directory: 'log',
  // One file per weekday, truncated when its day comes again. Rotation by size would append, so it is off.
  log_filename: 'server-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Details and statements contain user input, which does not belong in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}
