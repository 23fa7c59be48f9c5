#!/usr/bin/env bash
# Installs cargo-alloc-gate if it is missing, runs it, and writes the outputs and the summary
# of the step. action.yml sets INPUT_ARGS, INPUT_VERSION and ACTION_FOLDER, GitHub the rest.
# Ends with the exit code of cargo alloc-gate.
set -euo pipefail

version=$INPUT_VERSION
read -r -d '' -a arguments <<<"$INPUT_ARGS" || true

installed=$(cargo alloc-gate --version 2>/dev/null) || installed=""
if [[ -z $installed || (-n $version && ${installed##* } != "$version") ]]; then
  if [[ -z $version ]]; then
    # The sources at the commit that `uses:` names.
    cargo install --locked --force --path "$ACTION_FOLDER/../../../crates/cargo-alloc-gate"
  elif cargo binstall -V >/dev/null 2>&1; then
    cargo binstall --no-confirm --force "cargo-alloc-gate@$version"
  else
    cargo install --locked --force cargo-alloc-gate --version "$version"
  fi
fi

size() { { wc -c <"$GITHUB_STEP_SUMMARY"; } 2>/dev/null || echo 0; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
before=$(size)
set +e
# stderr goes to the log as well; stdout stays stdout. An empty array is unset to bash 3.2.
{
  cargo alloc-gate ${arguments[@]+"${arguments[@]}"} 2>&1 >&3 | tee "$log" >&2
  code=${PIPESTATUS[0]}
} 3>&1
set -e

verdict=$(tail -n 1 "$log")
{
  echo "exit-code=$code"
  echo "verdict=$verdict"
} >>"$GITHUB_OUTPUT"
# The command writes its report to the summary; without a report, the verdict says why.
if [[ $(size) == "$before" ]]; then
  printf '```text\n%s\n```\n' "$verdict" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
