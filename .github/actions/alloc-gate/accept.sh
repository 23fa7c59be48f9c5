#!/usr/bin/env bash
# Writes what `accept` would change as a patch, and leaves the working tree, the index and the
# repository as they were. Without a patch it says why, and succeeds: run.sh has the verdict.
# action.yml sets INPUT_ARGS and PROGRAM, GitHub the rest.
set -euo pipefail

none() {
  echo "alloc-gate: no patch of \`accept\`: $1"
  exit 0
}

# `accept` gets the arguments that select benches and say how they are built.
read -r -d '' -a arguments <<<"$INPUT_ARGS" || true
set -- ${arguments[@]+"${arguments[@]}"}
case ${1-} in
  check) shift ;;
  compare)
    shift
    [[ ${1--} == -* ]] || shift
    ;;
  "" | -*) ;;
  *) none "it belongs to \`check\` and \`compare\`, not to \`$1\`" ;;
esac
arguments=()
while (($# > 0)); do
  case $1 in
    --gate | --format=* | --report=* | --table=* | --explain=* | --base=*) ;;
    --format | --report | --table | --explain | --base) (($# == 1)) || shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

top=$(git rev-parse --show-toplevel) || none "the sources are not in a git repository"
objects=$(git rev-parse --path-format=absolute --git-path objects)
index=$(git rev-parse --path-format=absolute --git-path index)
scratch=$(mktemp -d)
before=""

# git with an index and objects of its own.
apart() {
  GIT_INDEX_FILE=$scratch/index GIT_OBJECT_DIRECTORY=$scratch/objects \
    GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects \
    git -C "$top" -c core.excludesFile="$scratch/ignored" -c core.safecrlf=false "$@"
}
# The tree of the files as they are, without those that git ignores.
tree() { apart add --all && apart write-tree; }
changed() { apart diff --no-renames --name-only -z "$@" "$before" "$after"; }
# Runs whatever happens, so that the files are as they were also after an error.
restore() {
  if [[ -n $before ]]; then
    after=$(tree)
    apart read-tree "$before"
    changed --diff-filter=A | (cd "$top" && xargs -0 rm -f --)
    changed --diff-filter=a | apart checkout-index --force -z --stdin
  fi
  rm -rf "$scratch"
}
trap restore EXIT
trap 'exit 1' INT TERM

mkdir "$scratch/objects"
echo target/ >"$scratch/ignored"
[[ ! -e $index ]] || cp "$index" "$scratch/index"
before=$(tree)

# The summary and the annotations are those of the check.
GITHUB_ACTIONS="" GITHUB_STEP_SUMMARY="" \
  "$PROGRAM" accept ${arguments[@]+"${arguments[@]}"} || none "it ended with exit code $?"

after=$(tree)
patch=$RUNNER_TEMP/cargo-alloc-gate/accept.patch
mkdir -p "${patch%/*}"
apart diff --binary --no-color --no-ext-diff "$before" "$after" >"$patch"
[[ -s $patch ]] || none "it changes nothing"
! grep -q '^+\[baseline\]' "$patch" || none "the rules have no \`[baseline]\`"

echo "patch=$patch" >>"$GITHUB_OUTPUT"
cat >>"$GITHUB_STEP_SUMMARY" <<END
If the change is intended, commit what \`accept\` writes. In the folder of the repository:

\`\`\`console
gh run download $GITHUB_RUN_ID -n accept && git apply accept.patch && rm accept.patch
\`\`\`
END
