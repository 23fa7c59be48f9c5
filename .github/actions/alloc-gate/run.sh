#!/usr/bin/env bash
# Installs cargo-alloc-gate if it is missing, runs it, and writes the outputs and the summary
# of the step. action.yml sets INPUT_ARGS, INPUT_VERSION and ACTION_FOLDER, GitHub the rest.
# Ends with the exit code of cargo-alloc-gate.
set -euo pipefail

version=$INPUT_VERSION
read -r -d '' -a arguments <<<"$INPUT_ARGS" || true

# Into a folder of this job: what the user installed stays. The work folder, the target folder
# and the flags of the workspace's own builds must not decide how the command is built.
root=$RUNNER_TEMP/cargo-alloc-gate
install() (
  set -e
  mkdir -p "$root"
  cd "$root"
  unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_BUILD_DIR
  export CARGO_TARGET_DIR=$root/target
  if [[ -z $version ]]; then
    # The sources at the commit that `uses:` names.
    cargo install --locked --root "$root" --path "$ACTION_FOLDER/../../../crates/cargo-alloc-gate"
  elif cargo binstall -V >/dev/null 2>&1; then
    cargo binstall --no-confirm --root "$root" "cargo-alloc-gate@$version"
  else
    cargo install --locked --root "$root" cargo-alloc-gate --version "$version"
  fi
)

# A page for a browser.
page=$root/allocations.html
mkdir -p "$root"
rm -f "$page"
case ${arguments[0]-} in
  check | compare | -* | "") arguments+=(--report "html=$page") ;;
esac

size() { { wc -c <"$GITHUB_STEP_SUMMARY"; } 2>/dev/null || echo 0; }

before=$(size)
# Writes the outputs, and ends the step.
finish() {
  {
    echo "exit-code=$1"
    echo "verdict=$2"
    [[ ! -f $page ]] || echo "page=$page"
  } >>"$GITHUB_OUTPUT"
  # The command writes its report to the summary; without a report, the verdict says why.
  if [[ $(size) == "$before" ]]; then
    printf '```text\n%s\n```\n' "$2" >>"$GITHUB_STEP_SUMMARY"
  fi
  exit "$1"
}

# The program itself, because `cargo alloc-gate` can be an alias of the workspace.
program=cargo-alloc-gate
installed=$("$program" --version 2>/dev/null) || installed=""
if [[ $installed != "cargo alloc-gate "* || (-n $version && ${installed##* } != "$version") ]]; then
  set +e
  install
  code=$?
  set -e
  [[ $code == 0 ]] || finish "$code" "alloc-gate: error: failed to install the command (exit code $code)"
  program=$root/bin/cargo-alloc-gate
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
set +e
# stderr goes to the log as well; stdout stays stdout. An empty array is unset to bash 3.2.
{
  "$program" ${arguments[@]+"${arguments[@]}"} 2>&1 >&3 | tee "$log" >&2
  code=${PIPESTATUS[0]}
} 3>&1
set -e

# Programs that the command starts print to stderr, too. Its own last line fits the exit code.
case $code in
  0) is_verdict='!/^alloc-gate: (FAILED|error): /' ;;
  1) is_verdict='/^alloc-gate: FAILED: /' ;;
  *) is_verdict="/\\(exit code $code\\)\$|^alloc-gate: error: stopped by /" ;;
esac
verdict=$(sed $'s/\033\\[[0-9;]*m//g' "$log" | awk "/^alloc-gate: / && $is_verdict" | tail -n 1)
finish "$code" "${verdict:-alloc-gate: ended without a verdict (exit code $code)}"
