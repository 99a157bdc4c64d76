"""``policy explain``: what would become of a command, said without running it."""

from desktop.app.headless.output import show
from desktop.app.options import PolicyCommand
from desktop.tools.explaining import explain_command
from desktop.tools.sandbox import NO_SANDBOX, SandboxHealth, SandboxState


async def explain(command: PolicyCommand) -> int:
    """Print the verdict, the facts and the reason. The command is looked at, never started."""
    folder = str(command.folder)
    explained = explain_command(command.text, folder=folder, mode=command.mode, sandbox=await _sandbox(command, folder))
    facts = "".join(
        f"\n  {f['code']}{': ' if f['detail'] else ''}{f['detail']}" for f in explained["facts"]["findings"]
    )
    show(dict(explained), f"{explained['verdict']}: {explained['why']}{facts}", json_wanted=command.as_json)
    return 0


async def _sandbox(command: PolicyCommand, folder: str) -> SandboxState:
    """What this machine has is found out by starting a sandbox for a trial; the command is not in it."""
    if command.sandbox == "yes":
        return SandboxState(health=SandboxHealth.HOLDS)
    if command.sandbox == "no":
        return NO_SANDBOX
    from desktop.mcp_client.shell_sandbox import ShellSandbox

    return await ShellSandbox([command.data_dir]).state(folder)
