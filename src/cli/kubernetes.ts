type Environment = Readonly<Record<string, string | undefined>>

/**
 * Kubernetes gives every pod variables about each Service of its namespace. Those of a Service called `petri`, or
 * `petri-…`, look like settings. Source: kubernetes.io, "Accessing the Service", environment variables.
 */
function isAboutService(name: string, value: string): boolean {
  if (!name.startsWith('PETRI_')) return false
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value)
}

/** The names of the variables set by Kubernetes. */
export const kubernetesVariables = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => isAboutService(name, environment[name] ?? ''))

/** The variables set by the user. */
export const withoutKubernetes = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !isAboutService(name, value ?? '')),
  )
