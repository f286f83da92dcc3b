"""The source of a laboratory protocol, for the tests of `rig show`."""

LAB_PROTOCOL = """
from dataclasses import dataclass
from pydantic import Field
from rig import Next, Row, Task, TaskParams, state

class Params(TaskParams):
    rest_s: float = Field(default=1, gt=0, description="how long [it] rests")

@dataclass
class Box: ...

class Rest(Task[Params, Box, Row]):
    @state(to=("rest",), can_end=True)
    async def rest(self) -> Next:
        await self.sleep(self.params.rest_s)
        return self.rest
"""
